import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { shared as words } from "@/copy/shared";
import { SharingService } from "@/gen/serein/web/v1/sharing_pb";
import { RouteParams } from "@/lib/router";
import { NO_SHARE, shared, TOKEN } from "@/testing/mock-sharing";
import { axeFaults, show } from "@/testing/page";
import { SharedPage } from "./SharedPage";

async function open(more: object = {}) {
  let ended = false;
  const shown = await show(
    <RouteParams value={{ token: TOKEN }}>
      <main>
        <SharedPage />
      </main>
      <footer style={{ height: 1000 }}>Below it</footer>
    </RouteParams>,
    {
      member: null,
      path: `/shared/${TOKEN}`,
      gateway: ({ rpc }) =>
        rpc(SharingService.method.getShared, ({ token }) => {
          if (ended || token !== TOKEN) throw NO_SHARE;
          return shared(more);
        }),
    },
  );
  return {
    ...shown,
    end: () => {
      ended = true;
    },
  };
}

test("a visitor hears and reads what is shared, and nobody's name stands there", async () => {
  const { player } = await open();
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveTextContent("After the long meeting");
  await expect.element(page.getByText(words.sharedByNobody)).toBeVisible();
  await expect.element(page.getByText("Stress Relief, 1 min, read by Maren")).toBeVisible();
  await expect.element(page.getByRole("region", { name: "Transcript" })).toHaveTextContent("one long breath");
  await page.getByRole("button", { name: "Play" }).click();
  await expect.element(page.getByRole("button", { name: "Pause" })).toBeVisible();
  expect(player.engine.snapshot()).toMatchObject({
    wanted: true,
    recording: { url: `/media/shared/${TOKEN}` },
    loop: { id: "rain" },
  });
  expect(await axeFaults()).toEqual([]);
});

test("the first name is said where its member wishes so", async () => {
  await open({ sharedBy: "Amara" });
  await expect.element(page.getByText(words.sharedBy("Amara"))).toBeVisible();
});

test("a link that is ended while its page is open leads nowhere when it is looked at again, and nothing is heard", async () => {
  const { player, end } = await open();
  await page.getByRole("button", { name: "Play" }).click();
  end();
  window.dispatchEvent(new Event("visibilitychange"));
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveTextContent(words.gone.title);
  await expect.poll(() => player.id).toBeNull();
  await expect.element(page.getByRole("link", { name: "Go Home" })).toHaveAttribute("href", "/");
  expect(await axeFaults()).toEqual([]);
});

test("scrolled away from its controls, the mini player takes over", async () => {
  await page.viewport(360, 740);
  await open();
  const mini = page.getByRole("region", { name: "Now playing" });
  await page.getByRole("button", { name: "Play" }).click();
  await expect.element(page.getByRole("button", { name: "Pause" })).toBeVisible();
  expect(mini.query()).toBeNull();
  window.scrollTo({ top: 2000, behavior: "instant" });
  await expect.element(mini).toBeVisible();
  await page.viewport(900, 800);
});
