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
