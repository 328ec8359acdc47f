/** What is passed on: its name, a sentence about it, and the whole address. */
export interface Passed {
  title: string;
  text: string;
  url: string;
}

/** Whether the system has a share sheet. */
export const hasSheet = (): boolean => "share" in navigator;

/** Opens the system's share sheet; false if it does not open. Browsers allow this only in a press. */
export async function openSheet(what: Passed): Promise<boolean> {
  if (!hasSheet()) return false;
  try {
    await navigator.share(what);
    return true;
  } catch (cause) {
    // Who changed their mind has been asked already.
    return (cause as Error).name === "AbortError";
  }
}

export type Site = "x" | "facebook" | "whatsApp" | "linkedIn" | "email";

/** The sites' own dialogs, by plain addresses: nothing of theirs is loaded here. */
export function dialogsOf({ title, text, url }: Passed): Record<Site, string> {
  const query = (fields: Record<string, string>) =>
    Object.entries(fields)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join("&");
  return {
    x: `https://x.com/intent/post?${query({ text, url })}`,
    facebook: `https://www.facebook.com/sharer/sharer.php?${query({ u: url })}`,
    whatsApp: `https://wa.me/?${query({ text: `${text} ${url}` })}`,
    linkedIn: `https://www.linkedin.com/sharing/share-offsite/?${query({ url })}`,
    email: `mailto:?${query({ subject: title, body: `${text}\n\n${url}` })}`,
  };
}
