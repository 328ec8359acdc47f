import { COUNTRIES, OTHER } from "@/copy/care";

/** The reason by which the server says that a title needs a person's care rather than a meditation. */
export const NEEDS_CARE = "TITLE_NEEDS_CARE";

export const needsCare = (trouble: { reason: string } | null): boolean => trouble?.reason === NEEDS_CARE;

function regionOf(language: string): string {
  try {
    return new Intl.Locale(language).region ?? "";
  } catch {
    return "";
  }
}

/**
 * The key of COUNTRIES for a browser's languages: the first that names a country decides. Languages without one
 * say nothing, and the United Kingdom is the default.
 */
export function careCountry(languages: readonly string[]): string {
  const region = languages.map(regionOf).find((code) => code !== "");
  if (!region) return "GB";
  return region in COUNTRIES ? region : OTHER;
}

/** The index of the line being spoken at this moment of the recording, or spoken last; -1 before the first. */
export const spokenAt = (lines: readonly { startMs: bigint }[], ms: number): number =>
  lines.findLastIndex((line) => Number(line.startMs) <= ms);
