import { Code } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { DeviceService } from "@/gen/serein/web/v1/device_pb";
import { failure } from "@/testing/failure";
import { member } from "@/testing/member";
import { MockCredentials } from "@/testing/mock-credentials";
import { axeFaults, show } from "@/testing/page";
import { Devices } from "./Devices";

const open = async (mine = new MockCredentials()) => {
  await show(
    <main>
      <Devices />
    </main>,
    { member: member(), path: "/members", gateway: (router) => mine.serve(router) },
  );
  return mine;
};

const button = (name: string) => page.getByRole("button", { name, exact: true });
const others = () => button("Sign out everywhere else");

test("each device has its name, its place where that is known, and when it was used last", async () => {
  await open();
  await expect.element(page.getByText("Linux computer, Firefox")).toBeVisible();
  await expect.element(page.getByText("London, now")).toBeVisible();
  await expect.element(page.getByText("This one")).toBeVisible();
  await expect.element(page.getByText(/^London, 2 November at/)).toBeVisible();
  await expect.element(page.getByText(/^30 October at/)).toBeVisible();
  expect(button("Sign out of Linux computer, Firefox").query()).toBeNull();
  expect(await axeFaults()).toEqual([]);
});

test("one is signed out, and the others stay; what is said has the focus", async () => {
  const mine = await open();
  await button("Sign out of iPhone, Safari").click();
  const said = page.getByRole("status");
  await expect.element(said).toHaveTextContent("iPhone, Safari has been signed out.");
  await expect.element(said).toHaveFocus();
  expect(page.getByText("iPhone, Safari", { exact: true }).query()).toBeNull();
  await expect.element(page.getByText("Android tablet, Chrome")).toBeVisible();
  expect(mine.asked).toEqual(["end d2"]);
});

test("all others are signed out at once, and then there is nothing left to end", async () => {
  await open();
  await others().click();
  await expect.element(page.getByRole("status")).toHaveTextContent("Every other device has been signed out.");
  await expect.element(page.getByText("This one")).toBeVisible();
  expect(others().query()).toBeNull();
});

test("a lost answer says that nobody knows, and pressing again is safe", async () => {
  const mine = new MockCredentials();
  mine.loses = true;
  await open(mine);
  await others().click();
  await expect.element(page.getByText(/We don’t know whether it was signed out/)).toBeVisible();
});

test("a refusal is said in the server's words, and changes nothing", async () => {
  await show(
    <main>
      <Devices />
    </main>,
    {
      member: member(),
      path: "/members",
      gateway: (router) => {
        router.service(DeviceService, {
          listDevices: () => ({ devices: new MockCredentials().devices }),
          endDevice: () => {
            throw failure(Code.ResourceExhausted, "That was too often.", "TOO_MANY_REQUESTS", "");
          },
        });
      },
    },
  );
  await button("Sign out of iPhone, Safari").click();
  await expect.element(page.getByText("We couldn’t sign it out. That was too often.")).toBeVisible();
  await expect.element(button("Sign out of iPhone, Safari")).toBeVisible();
});

test("a list that cannot be fetched says so, and is asked for again", async () => {
  let tries = 0;
  await show(
    <main>
      <Devices />
    </main>,
    {
      member: member(),
      path: "/members",
      gateway: (router) => {
        router.service(DeviceService, {
          listDevices: () => {
            if (tries++ === 0) throw failure(Code.Internal, "no", "INTERNAL", "");
            return { devices: new MockCredentials().devices };
          },
        });
      },
    },
  );
  await expect.element(page.getByText(/^We can’t show where you’re signed in at the moment\./)).toBeVisible();
  await button("Try again").click();
  await expect.element(page.getByText("This one")).toBeVisible();
});
