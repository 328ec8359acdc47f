import { paths } from "@/lib/paths";

/** Saves a finished meditation of the member's. The answer names the file. */
export function download(id: string): void {
  const link = document.createElement("a");
  link.href = paths.download(id);
  link.download = "";
  link.click();
}
