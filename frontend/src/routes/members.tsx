import { pages } from "@/copy/pages";

export default function Members() {
  return (
    <div className="wrap page-head">
      <h1>{pages.members}</h1>
    </div>
  );
}
