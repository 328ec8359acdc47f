import { useAppData } from "@/data/data";
import { DataProvider } from "@/data/DataProvider";
import { useSiteSearch } from "@/lib/site-search";
import { SearchDialog } from "./SearchDialog";

/** The site's search, over whichever page has it in its address. */
export default function Search() {
  const { search } = useSiteSearch();
  const data = useAppData();
  return <DataProvider data={data}>{search ? <SearchDialog search={search} /> : null}</DataProvider>;
}
