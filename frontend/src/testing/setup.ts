import { beforeEach } from "vitest";
import { toaster } from "@/ui/toast/store";
/** Before any component: the order of the style layers is that of their first mention. */
import "@/styles/index.css";

// All tests of a browser are one tab: what one has kept is none of the next one's business.
beforeEach(() => {
  window.sessionStorage.clear();
  window.localStorage.clear();
  document.cookie = "__Host-serein-age=; path=/; secure; max-age=0"; // the banner of a member's page keeps it
  for (const { id } of toaster.list.get()) toaster.dismiss(id);
  // As under a pointer: a notice stays until a test has looked. That it leaves is a matter of store.test.ts.
  toaster.hold();
});
