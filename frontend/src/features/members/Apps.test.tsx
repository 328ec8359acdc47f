import { Code } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { AppService } from "@/gen/serein/web/v1/app_pb";
import { failure } from "@/testing/failure";
import { member } from "@/testing/member";
import { MockCredentials } from "@/testing/mock-credentials";
import { axeFaults, show } from "@/testing/page";
import { Apps } from "./Apps";

const open = async (mine = new MockCredentials()) => {
  await show(
    <main>
      <Apps />
    </main>,
    { member: member(), path: "/members", gateway: (router) => mine.serve(router) },
  );
  return mine;
};

const button = (name: string) => page.getByRole("button", { name, exact: true });

test("each app has its name, what it may do and since when", async () => {
  await open();
  await expect.element(page.getByText("The Companion", { exact: true })).toBeVisible();
  await expect
    .element(page.getByText("See your email address. Read your profile. Since 2 November 2026."))
    .toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("what an app may do is taken back, and what is said has the focus", async () => {
  const mine = await open();
  await button("Remove access of The Companion").click();
  const said = page.getByRole("status");
  await expect
    .element(said)
    .toHaveTextContent("The Companion no longer has access. Anything it had open ends within 15 minutes.");
  await expect.element(said).toHaveFocus();
  await expect.element(page.getByText("No other apps have access.")).toBeVisible();
  expect(mine.asked).toEqual(["revoke companion"]);
});

test("a lost answer says that nobody knows, and pressing again is safe", async () => {
  const mine = new MockCredentials();
  mine.loses = true;
  await open(mine);
  await button("Remove access of The Companion").click();
  await expect.element(page.getByText(/We don’t know whether its access was removed/)).toBeVisible();
});

test("a list that cannot be fetched says so, and is asked for again; a refusal changes nothing", async () => {
  let tries = 0;
  await show(
    <main>
      <Apps />
    </main>,
    {
      member: member(),
      path: "/members",
      gateway: (router) => {
        router.service(AppService, {
          listApps: () => {
            if (tries++ === 0) throw failure(Code.Internal, "no", "INTERNAL", "");
            return { apps: new MockCredentials().apps };
          },
          revokeApp: () => {
            throw failure(Code.ResourceExhausted, "That was too often.", "TOO_MANY_REQUESTS", "");
          },
        });
      },
    },
  );
  await expect.element(page.getByText(/^We can’t show your apps at the moment\./)).toBeVisible();
  await button("Try again").click();
  await button("Remove access of The Companion").click();
  await expect.element(page.getByText("We couldn’t remove its access. That was too often.")).toBeVisible();
  await expect.element(button("Remove access of The Companion")).toBeVisible();
});
