import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { ExportService } from "@/gen/serein/web/v1/export_pb";
import { failure } from "@/testing/failure";
import { member } from "@/testing/member";
import { axeFaults, show } from "@/testing/page";
import { Export } from "./Export";

/** A gateway whose tries fail with these first. */
const open = async (...faults: ConnectError[]) => {
  let made = 0;
  await show(
    <main>
      <h1>Members Area</h1>
      <h2>Leaving</h2>
      <Export />
    </main>,
    {
      member: member(),
      path: "/members",
      gateway: ({ rpc }) =>
        rpc(ExportService.method.makeExport, () => {
          const fault = faults.shift();
          if (fault) throw fault;
          made++;
          return {
            url: `/media/exports/${made}`,
            fileName: "serein-export-2026-11-28.zip",
            bytes: 48_200_000n,
            expiresAt: timestampFromMs(Date.now() + 86_400_000),
          };
        }),
    },
  );
};

const button = (name: string) => page.getByRole("button", { name, exact: true });
const download = () => page.getByRole("link", { name: "Download" });

/** The browser of the tests has no such file. */
const stay = () => document.addEventListener("click", (event) => event.preventDefault(), { once: true });

test("a copy is made when it is asked for, and says its size and until when the link is good", async () => {
  await open();
  expect(await axeFaults()).toEqual([]);
  await button("Make my copy").click();
  await expect.element(page.getByText("serein-export-2026-11-28.zip")).toBeVisible();
  await expect.element(page.getByText(/^About 48 MB\. The link works once, until tomorrow at/)).toBeVisible();
  await expect.element(page.getByRole("status")).toHaveTextContent("Your copy is ready to download.");
  await expect.element(download()).toHaveAttribute("href", "/media/exports/1");
  expect(await axeFaults()).toEqual([]);
});

test("a link that was used is not offered again, and a new one is", async () => {
  await open();
  await button("Make my copy").click();
  await expect.element(download()).toBeVisible();
  stay();
  await download().click();
  await expect.element(page.getByRole("status")).toHaveTextContent("You can leave this page.");
  expect(download().query()).toBeNull();
  await button("Make a new one").click();
  await expect.element(download()).toHaveAttribute("href", "/media/exports/2");
});

test("where no copy can be made it is said why, and asking again works", async () => {
  await open(failure(Code.ResourceExhausted, "That was too often.", "TOO_MANY_REQUESTS", ""));
  await button("Make my copy").click();
  await expect.element(page.getByText("We couldn’t make a copy. That was too often.")).toBeVisible();
  await button("Make my copy").click();
  await expect.element(download()).toBeVisible();
});

test("a lost answer says that nobody knows, and pressing again is safe", async () => {
  await open(new ConnectError("the line broke", Code.Unavailable));
  await button("Make my copy").click();
  await expect.element(page.getByText(/We don’t know whether your copy is ready/)).toBeVisible();
  await button("Make my copy").click();
  await expect.element(download()).toBeVisible();
});
