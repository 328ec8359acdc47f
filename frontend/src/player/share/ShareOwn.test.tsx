import type { ConnectRouter } from "@connectrpc/connect";
import { Code } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { sharing } from "@/copy/sharing";
import { SharingService } from "@/gen/serein/web/v1/sharing_pb";
import { failure } from "@/testing/failure";
import { gate } from "@/testing/gate";
import { mockSharing, TOKEN } from "@/testing/mock-sharing";
import { axeFaults, show } from "@/testing/page";
import { ShareButton } from "./ShareButton";

const words = sharing.own;
const ADDRESS = `https://serein.example/shared/${TOKEN}`;

async function open(gateway: (router: ConnectRouter) => void = (router) => mockSharing(router)) {
  const shown = await show(
    <main>
      <ShareButton id="m1" title="After the long meeting" />
    </main>,
    { gateway },
  );
  await page.getByRole("button", { name: "Share", exact: true }).click();
  return shown;
}

const button = (name: string) => page.getByRole("button", { name, exact: true });
const dialog = () => page.getByRole("dialog");
const name = () => page.getByRole("switch", { name: "Show my first name" });

test("nothing is shared before its member has read what a link shows, and has made one", async () => {
  await open();
  await expect.element(dialog()).toHaveAccessibleName("Share “After the long meeting”");
  await expect.element(dialog()).toHaveTextContent(words.what);
  await expect.element(name()).not.toBeChecked();
  await expect.element(dialog()).not.toHaveTextContent(ADDRESS);
  expect(await axeFaults()).toEqual([]);
  await button("Make a link").click();
  await expect.element(dialog()).toHaveTextContent(ADDRESS);
  await expect.element(dialog()).toHaveTextContent(words.nameHidden);
  await expect.element(button("Copy link")).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("the running link shows a first name or none, as its member wishes", async () => {
  await open();
  await name().click();
  await button("Make a link").click();
  await expect.element(dialog()).toHaveTextContent(words.nameShown("Amara"));
  await expect.element(name()).toBeChecked();
  await name().click();
  await expect.element(dialog()).toHaveTextContent(words.nameHidden);
  await expect.element(dialog()).toHaveTextContent(ADDRESS);
});

test("an ended link is gone, which is said, and another may be made", async () => {
  await open();
  await button("Make a link").click();
  await button("End link").click();
  await expect.element(dialog()).toHaveTextContent(words.ended);
  await expect.element(dialog()).not.toHaveTextContent(ADDRESS);
  await expect.element(button("Make a link")).toBeVisible();
});

test("a running link stands there when the panel is opened again", async () => {
  await open();
  await button("Make a link").click();
  await expect.element(dialog()).toHaveTextContent(ADDRESS);
  await button("Close").click();
  await button("Share").click();
  await expect.element(dialog()).toHaveTextContent(ADDRESS);
});

test("a link that cannot be shown again is said to run, and can be ended", async () => {
  await open(({ service }) => service(SharingService, { getShare: () => ({ share: { url: "" } }) }));
  await expect.element(dialog()).toHaveTextContent(words.hidden);
  await expect.element(button("End link")).toBeVisible();
  expect(page.getByRole("button", { name: "Copy link" }).query()).toBeNull();
});

test("what could not be done is said, and nothing is shared", async () => {
  await open(({ service }) =>
    service(SharingService, {
      getShare: () => ({}),
      shareMeditation: () => {
        throw failure(
          Code.FailedPrecondition,
          "This meditation is among the recently deleted ones already.",
          "MEDITATION_MARKED",
          "",
        );
      },
    }),
  );
  await button("Make a link").click();
  await expect
    .element(page.getByRole("alert"))
    .toHaveTextContent(words.failed("This meditation is among the recently deleted ones already."));
  await expect.element(button("Make a link")).toBeVisible();
});

test("the focus goes to the first action that comes, on opening and after each press", async () => {
  await open();
  await expect.element(button("Make a link")).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(button("Copy link")).toHaveFocus();
  (button("End link").element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(dialog()).toHaveTextContent(words.ended);
  await expect.element(button("Make a link")).toHaveFocus();
});

test("the name's switch moves at the press, keeps the focus, and goes back where the change is refused", async () => {
  const answer = gate();
  await open(({ service }) =>
    service(SharingService, {
      getShare: () => ({ share: { url: ADDRESS, shownName: "" } }),
      shareMeditation: async () => {
        await answer.passed;
        throw failure(Code.Internal, "It cannot be changed now.", "INTERNAL", "");
      },
    }),
  );
  await expect.element(name()).not.toBeChecked();
  (name().element() as HTMLElement).focus();
  await userEvent.keyboard(" ");
  await expect.element(name()).toBeChecked();
  await expect.element(name()).toHaveFocus();
  answer.open();
  await expect.element(page.getByRole("alert")).toBeVisible();
  await expect.element(name()).not.toBeChecked();
  await expect.element(name()).toHaveFocus();
});
