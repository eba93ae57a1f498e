//! Compares ranges, steps and lengths.

use super::compare::Comparison;
use super::difference::What;
use super::shape::{Alternative, Limit, compare_highs, compare_lows};
use skill_agent_schema::is_multiple;

impl Comparison<'_> {
    pub(super) fn numbers(&mut self, first: &Alternative<'_>, second: &Alternative<'_>) {
        if second.is_integer && !first.is_integer {
            let [first, second] = [first, second].map(|one| format!("`{}`", one.type_name()));
            self.push(What::Types(first, second));
        }
        if compare_lows(second.low.as_ref(), first.low.as_ref()).is_gt() {
            let [first, second] = [first, second].map(|one| one.low.as_ref().map(low_text));
            self.bound("minimum", first, second);
        }
        if compare_highs(second.high.as_ref(), first.high.as_ref()).is_lt() {
            let [first, second] = [first, second].map(|one| one.high.as_ref().map(high_text));
            self.bound("maximum", first, second);
        }
        for step in &second.steps {
            if !first.steps.iter().any(|own| is_multiple(own, step)) {
                let own = first.steps.first().map(|own| format!("{own}"));
                self.bound("multipleOf", own, Some(format!("{step}")));
            }
        }
    }

    pub(super) fn lengths(&mut self, first: &Alternative<'_>, second: &Alternative<'_>) {
        let [least, greatest] = first.kind.lengths();
        let text = |length: u64| Some(length.to_string());
        if second.least > first.least {
            let own = Some(first.least).filter(|least| *least > 0).and_then(text);
            self.bound(least, own, text(second.least));
        }
        if let Some(most) = second.greatest
            && first.greatest.is_none_or(|own| own > most)
        {
            self.bound(greatest, first.greatest.and_then(text), text(most));
        }
    }

    fn bound(&mut self, keyword: &'static str, first: Option<String>, second: Option<String>) {
        self.push(What::Bound {
            keyword,
            first,
            second,
        });
    }
}

fn low_text(limit: &Limit) -> String {
    let number = &limit.number;
    if limit.is_exclusive {
        format!("more than {number}")
    } else {
        number.to_string()
    }
}

fn high_text(limit: &Limit) -> String {
    let number = &limit.number;
    if limit.is_exclusive {
        format!("less than {number}")
    } else {
        number.to_string()
    }
}
