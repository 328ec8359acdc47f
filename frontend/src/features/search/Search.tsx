import { use } from "react";
import { DataProvider } from "@/data/DataProvider";
import { useApp } from "@/lib/app";
import { useSiteSearch } from "@/lib/site-search";
import { SearchDialog } from "./SearchDialog";

/** The site's search, over whichever page has it in its address. */
export default function Search() {
  const { search } = useSiteSearch();
  const data = use(useApp().data());
  return <DataProvider data={data}>{search ? <SearchDialog search={search} /> : null}</DataProvider>;
}
