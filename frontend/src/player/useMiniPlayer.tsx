import { useEffect } from "react";
import { useData } from "@/data/data";
import { DataProvider } from "@/data/DataProvider";
import { useApp } from "@/lib/app";
import { Everywhere } from "./Everywhere";
import { MiniPlayer } from "./MiniPlayer";

/** For every page that can play: from now on what plays outlives its page, in the mini player at its foot. */
export function useMiniPlayer(): void {
  const data = useData();
  const { mini } = useApp();
  useEffect(() => {
    if (mini.get()) return;
    mini.set(
      <DataProvider data={data}>
        <MiniPlayer />
        <Everywhere />
      </DataProvider>,
    );
  }, [data, mini]);
}
