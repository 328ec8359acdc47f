/** Browser storage that never throws: private windows and full disks only forget. */
export const safely = <T>(act: () => T): T | null => {
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

/**
 * Remembers for all tabs until the browser closes. Storage has no such place: it is a cookie that says nothing else. Its name
 * begins with __Host-, so it is Secure and of this host alone (RFC 6265bis, section 4.1.3.2), or the browser refuses it.
 */
export function rememberInSession(key: `__Host-${string}`): void {
  document.cookie = `${key}=yes;path=/;secure;samesite=lax`;
}

export const rememberedInSession = (key: string): boolean => document.cookie.includes(key);
