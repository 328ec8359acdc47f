import { useFilters, useTypedFilter } from "@/lib/filters";

/** What the library is looked through by. */
export interface Filters {
  kind: "voice" | "immersive";
  /** A category's id; "" for all. */
  category: string;
  search: string;
  /** Those that nobody has verified yet, alone; for admins. */
  unverified: boolean;
}

/** Whether something is looked for, within a kind. */
export const isFiltered = ({ category, search }: Filters): boolean => category !== "" || search !== "";

/** The library's filters in the address: what is as it usually is does not stand there. */
export function useLibraryFilters() {
  const { get, set } = useFilters();
  const { typed, type, settled } = useTypedFilter("search");
  const filters: Filters = {
    kind: get("kind") === "voice" ? "voice" : "immersive",
    category: get("category"),
    search: settled,
    unverified: get("unverified") === "yes",
  };
  return {
    filters,
    typed,
    type,
    // A category of the other kind may have nothing here.
    setKind: (kind: Filters["kind"]) => set({ kind: kind === "voice" ? kind : "", category: "" }),
    setCategory: (category: string) => set({ category }),
    setUnverified: (unverified: boolean) => set({ unverified: unverified ? "yes" : "" }),
    clear: () => {
      type("");
      set({ category: "", search: "" });
    },
  };
}
