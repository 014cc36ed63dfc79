mod generate;
mod ours;
mod random;
mod theirs;
fn main() {
    let s = generate::samples();
    println!("{}", s.len());
}
