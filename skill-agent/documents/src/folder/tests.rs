//! Tests that both implementations give the same results.

use super::{FolderError, HardLinks, ItemKind, inside, read};
use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;

macro_rules! both {
    ($($name:ident: $folder:path;)+) => {$(
        mod $name {
            use super::*;
            use $folder as Folder;

            #[test]
            fn links_are_not_followed_and_large_files_are_not_read() {
                let temp = tempfile::tempdir().unwrap();
                let path = temp.path();
                std::fs::create_dir_all(path.join("a/b")).unwrap();
                std::fs::write(path.join("a/b/c"), "text").unwrap();
                let top = Folder::open(path).unwrap().try_clone().unwrap();
                let deep = top.folder(OsStr::new("a")).unwrap();
                let deep = deep.folder(OsStr::new("b")).unwrap();
                let c = OsStr::new("c");
                assert_eq!(deep.file(c, 4, HardLinks::Refuse).unwrap(), b"text");
                assert!(matches!(
                    deep.file(c, 3, HardLinks::Refuse),
                    Err(FolderError::TooLarge { bytes: 4, max: 3 })
                ));
                assert!(matches!(deep.folder(c), Err(FolderError::NotAFolder)));
                assert!(matches!(top.file(OsStr::new("a"), 9, HardLinks::Allow), Err(FolderError::NotAFile)));
                assert!(matches!(top.folder(OsStr::new("x")), Err(FolderError::Missing)));
                assert!(matches!(Folder::open(&path.join("a/b/c")), Err(FolderError::NotAFolder)));
                assert!(matches!(Folder::open(&path.join("x")), Err(FolderError::Missing)));
            }

            #[test]
            fn items_are_sorted_and_limited() {
                let temp = tempfile::tempdir().unwrap();
                for name in ["c", "a", "b"] {
                    std::fs::write(temp.path().join(name), "").unwrap();
                }
                let top = Folder::open(temp.path()).unwrap();
                let names: Vec<_> = top.items(3).unwrap().into_iter().map(|item| item.name).collect();
                assert_eq!(names, ["a", "b", "c"]);
                assert!(matches!(top.items(2), Err(FolderError::TooMany { max: 2 })));
            }

            #[cfg(unix)]
            #[test]
            fn links_and_pipes_are_reported_and_not_opened() {
                let temp = tempfile::tempdir().unwrap();
                let path = temp.path();
                std::fs::create_dir(path.join("real")).unwrap();
                std::os::unix::fs::symlink("real", path.join("link")).unwrap();
                std::os::unix::fs::symlink("/etc/passwd", path.join("file")).unwrap();
                let fifo = rustix::fs::mknodat(
                    rustix::fs::CWD,
                    path.join("pipe"),
                    rustix::fs::FileType::Fifo,
                    rustix::fs::Mode::RUSR,
                    0,
                );
                fifo.unwrap();
                let top = Folder::open(path).unwrap();
                let kinds: Vec<_> = top.items(9).unwrap().into_iter().map(|item| item.kind).collect();
                assert_eq!(kinds, [ItemKind::Link, ItemKind::Link, ItemKind::Other, ItemKind::Folder]);
                assert!(matches!(top.folder(OsStr::new("link")), Err(FolderError::Link)));
                assert!(matches!(top.file(OsStr::new("file"), 9, HardLinks::Allow), Err(FolderError::Link)));
                assert!(matches!(top.file(OsStr::new("pipe"), 9, HardLinks::Allow), Err(FolderError::NotAFile)));
                assert!(matches!(top.folder(OsStr::new("pipe")), Err(FolderError::NotAFolder)));
            }

            #[cfg(unix)]
            #[test]
            fn a_file_with_further_names_is_read_only_where_that_is_allowed() {
                let temp = tempfile::tempdir().unwrap();
                std::fs::write(temp.path().join("a"), "text").unwrap();
                let top = Folder::open(temp.path()).unwrap();
                let read = |rule| top.file(OsStr::new("a"), 9, rule);
                assert_eq!(read(HardLinks::Refuse).unwrap(), b"text");
                std::fs::hard_link(temp.path().join("a"), temp.path().join("b")).unwrap();
                assert!(matches!(read(HardLinks::Refuse), Err(FolderError::HardLink)));
                assert_eq!(read(HardLinks::Allow).unwrap(), b"text");
            }
        }
    )+};
}

both! {
    portable: crate::folder::portable::Folder;
    native: crate::folder::Folder;
}

#[test]
fn a_path_below_a_folder_consists_of_names() {
    let temp = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(temp.path().join("a/b")).unwrap();
    let top = super::Folder::open(temp.path()).unwrap();
    assert!(top.below(Path::new("a/b")).is_ok());
    assert!(top.below(Path::new("")).is_ok());
    for path in ["a/../a", "..", "/", "/a"] {
        assert!(top.below(Path::new(path)).is_err(), "{path}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_folder_is_not_resolved() {
    use std::os::unix::fs::symlink;
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path().join("root");
    std::fs::create_dir_all(root.join("real")).unwrap();
    std::fs::create_dir_all(temp.path().join("rootless")).unwrap();
    for (target, link) in [
        ("real", "good"),
        ("good", "again"),
        ("..", "up"),
        ("../rootless", "beside"),
        ("/", "top"),
        ("loop", "loop"),
        ("nowhere", "broken"),
        (".", "self"),
    ] {
        symlink(target, root.join(link)).unwrap();
    }
    let inside = |link| inside(&root, Path::new(link)).map(|target| target.display().to_string());
    assert_eq!(inside("good").as_deref(), Some("real"));
    assert_eq!(inside("again").as_deref(), Some("real"));
    assert_eq!(inside("self").as_deref(), Some(""));
    for link in ["up", "beside", "top", "loop", "broken"] {
        assert_eq!(inside(link), None, "{link}");
    }
}

#[test]
fn a_file_that_grows_while_it_is_read_is_read_up_to_the_limit() {
    let grown = |size: usize| read(std::io::repeat(b'x').take(size as u64), 1, 10);
    assert_eq!(grown(10).unwrap(), [b'x'; 10]);
    for size in [11, 12, 1 << 20] {
        // reads one byte more than the limit, and then stops
        let error = grown(size).unwrap_err();
        assert!(
            matches!(error, FolderError::TooLarge { bytes: 11, max: 10 }),
            "{error:?}"
        );
    }
}
