import { beforeEach } from "vitest";
/** Before any component: the order of the style layers is that of their first mention. */
import "@/styles/index.css";

// All tests of a browser are one tab: what one has kept is none of the next one's business.
beforeEach(() => {
  window.sessionStorage.clear();
  window.localStorage.clear();
});
