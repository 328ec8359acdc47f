/** Rules of a text as the contract states them; generated beside the messages (src/gen/…_rules.ts). Lengths are in characters. */
export interface TextRules {
  readonly minLen?: number;
  readonly maxLen?: number;
  readonly pattern?: string;
}

/** What is said when a rule is broken. `missing` makes the answer required. */
export interface RuleWords {
  missing?: string;
  short?: (min: number) => string;
  long?: (max: number) => string;
  shape?: string;
}

/** What is wrong with an answer, in the contract's own order of severity, or undefined. */
export function faultOf(value: string, rules: TextRules, words: RuleWords): string | undefined {
  const length = [...value].length;
  if (length === 0) return words.missing;
  if (rules.minLen !== undefined && length < rules.minLen) return words.short?.(rules.minLen);
  if (rules.maxLen !== undefined && length > rules.maxLen) return words.long?.(rules.maxLen);
  if (rules.pattern && !new RegExp(rules.pattern, "u").test(value)) return words.shape;
  return undefined;
}
