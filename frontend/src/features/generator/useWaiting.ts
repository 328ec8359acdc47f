import { useEffect, useState } from "react";

/** Waits for so many seconds, where a refusal asks for it. */
export function useWaiting() {
  const [until, setUntil] = useState(0);
  useEffect(() => {
    if (!until) return;
    const timer = setTimeout(() => setUntil(0), until - Date.now());
    return () => clearTimeout(timer);
  }, [until]);
  return { waiting: until > 0, wait: (seconds: number) => setUntil(Date.now() + seconds * 1000) };
}
