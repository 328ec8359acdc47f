import { useFilters } from "@/lib/filters";

export type Period = "month" | "year";

/** By the month or by the year; it stands in the address. */
export function usePeriod(): { period: Period; choose: (period: Period) => void } {
  const { get, set } = useFilters();
  return {
    period: get("period") === "year" ? "year" : "month",
    choose: (period) => set({ period: period === "year" ? period : "" }, true),
  };
}
