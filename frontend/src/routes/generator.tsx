import { pages } from "@/copy/pages";

export default function Generator() {
  return (
    <div className="wrap page-head">
      <h1>{pages.generator}</h1>
    </div>
  );
}
