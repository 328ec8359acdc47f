import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "@/app/App";
import { watchTabs } from "@/app/session-sync";
import { loadData, warm } from "@/app/warm";
import { readBoot } from "@/lib/boot";
import { setSession } from "@/lib/session";
import "@/styles/index.css";

// The page's own chunk is asked for before React has started.
warm(window.location.pathname);
setSession(readBoot(document.querySelector("#boot")?.textContent));
watchTabs();

const root = document.querySelector("#root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );

// When nothing else is to do, what the next page will need.
const atRest = window.requestIdleCallback ?? ((act: () => void) => setTimeout(act, 2000));
window.addEventListener("load", () => atRest(() => void loadData().catch(() => undefined)));
