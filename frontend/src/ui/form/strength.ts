/** How hard a password is to guess, 0 (empty) to 4, by its length and how much of it repeats. A hint, not a rule. */
export function strength(password: string): 0 | 1 | 2 | 3 | 4 {
  const various = new Set(password.toLowerCase()).size;
  if (!password) return 0;
  if (password.length < 10 || various < 5) return 1;
  if (password.length < 15 || various < 8) return 2;
  return password.length < 20 || various < 11 ? 3 : 4;
}
