/// Basic arithmetic.
#[derive(Skill, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "calculator", actions(Add, Divide))]
pub struct Calculator {
    /// The result of the last command.
    #[skill(default = 0.0)]
    pub last_result: f64,
}

/// Add two numbers.
#[action]
pub fn add(calculator: &mut Calculator, a: f64, b: f64) -> f64 {
    calculator.last_result = a + b;
    calculator.last_result
}

/// Divide the first number by the second.
#[action]
pub fn divide(calculator: &mut Calculator, a: f64, b: f64) -> Result<f64, DivisionByZero> {
    if b == 0.0 {
        return Err(DivisionByZero);
    }
    calculator.last_result = a / b;
    Ok(calculator.last_result)
}

agent! {
    /// Agent with calculation abilities.
    #[derive(Debug)]
    pub struct MathAgent {
        name: "math_agent",
        skills: [Calculator],
    }
}
