import { pages } from "@/copy/pages";

export default function Journey() {
  return (
    <div className="wrap page-head">
      <h1>{pages.journey}</h1>
    </div>
  );
}
