/** Holds an answer back: `passed` is settled once the test has called `open`. */
export function gate() {
  let open = () => {};
  const passed = new Promise<void>((done) => (open = done));
  return { passed, open: () => open() };
}
