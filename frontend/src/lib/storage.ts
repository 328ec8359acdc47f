/** Browser storage that never throws: private windows and full disks only forget. */
const safely = <T>(act: () => T): T | null => {
  try {
    return act();
  } catch {
    return null;
  }
};

type Area = "localStorage" | "sessionStorage";

export const remembered = (area: Area, key: string): string | null => safely(() => window[area].getItem(key));

export function remember(area: Area, key: string, value: string | null): void {
  safely(() => (value === null ? window[area].removeItem(key) : window[area].setItem(key, value)));
}

/** Remembers for all tabs until the browser closes. Storage has no such place: it is a cookie that says nothing else. */
export function rememberInSession(key: string): void {
  document.cookie = `${key}=yes; path=/; samesite=lax`;
}

export const rememberedInSession = (key: string): boolean => document.cookie.includes(`${key}=`);
