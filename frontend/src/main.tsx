// First, because it says the order of the layers.
import "@/styles/index.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "@/app/App";
import { Providers } from "@/app/Providers";
import { createApp } from "@/app/root";
import { loadData, warm } from "@/app/warm";
import { readBoot } from "@/lib/boot";
import { createSession } from "@/lib/session";

// The page's own chunk is asked for before React has started.
warm(window.location.pathname);
const session = createSession(readBoot(document.querySelector("#boot")?.textContent));
const app = createApp(session);

const root = document.querySelector("#root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <Providers app={app} session={session}>
        <App />
      </Providers>
    </StrictMode>,
  );

// When nothing else is to do, what the next page will need.
const atRest = window.requestIdleCallback ?? ((act: () => void) => setTimeout(act, 2000));
window.addEventListener("load", () => atRest(() => void loadData().catch(() => undefined)));
