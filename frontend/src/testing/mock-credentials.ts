import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import { CredentialService, DeletionService } from "@/gen/serein/web/v1/account_pb";
import { AppService } from "@/gen/serein/web/v1/app_pb";
import { DeviceKind, DeviceService } from "@/gen/serein/web/v1/device_pb";
import { PasskeyService } from "@/gen/serein/web/v1/passkey_pb";
import { SecondStepService } from "@/gen/serein/web/v1/second_step_pb";
import { failure } from "./failure";

/** The password of the member in memory, and the codes of the present mailbox and the new one. */
export const PASSWORD = "stillwater-9-pines";
export const CODES = { presentCode: "408112", newCode: "119027" };
/** What the authenticator app shows, and the secret that it shares. */
export const APP = { code: "287082", secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" };

const wrong = (field: string) =>
  failure(Code.InvalidArgument, "That isn’t your password. Please try again.", "NOT_AUTHORIZED", field);

/** Where a member is signed in: this device, and two others. */
const someDevices = () => [
  { id: "d1", kind: DeviceKind.COMPUTER, name: "Linux computer, Firefox", place: "London", current: true },
  {
    id: "d2",
    kind: DeviceKind.PHONE,
    name: "iPhone, Safari",
    place: "London",
    usedAt: timestampFromMs(Date.UTC(2026, 10, 2, 7, 12)),
  },
  {
    id: "d3",
    kind: DeviceKind.TABLET,
    name: "Android tablet, Chrome",
    usedAt: timestampFromMs(Date.UTC(2026, 9, 30, 20)),
  },
];

/** What a member lets do something for them. */
const someApps = () => [
  {
    clientId: "companion",
    name: "The Companion",
    permissions: ["See your email address", "Read your profile"],
    since: timestampFromMs(Date.UTC(2026, 10, 2, 7, 12)),
  },
];

/** The passkeys of a member: one on a laptop, which was used, and one on a phone. */
const somePasskeys = (): { id: string; name: string; addedAt: Timestamp; usedAt?: Timestamp }[] => [
  {
    id: "p1",
    name: "Linux computer, Firefox",
    addedAt: timestampFromMs(Date.UTC(2026, 9, 18, 9)),
    usedAt: timestampFromMs(Date.UTC(2026, 10, 2, 7, 12)),
  },
  { id: "p2", name: "iPhone, Safari", addedAt: timestampFromMs(Date.UTC(2026, 9, 12, 9)) },
];

/** Recovery codes; others each time. */
const someCodes = (time: number): string[] =>
  Array.from({ length: 10 }, (_, n) => `abcd-efgh-ijkl-${time}${n}mn`);

/** How a member signs in, from memory. */
export class MockCredentials {
  username = "amara.l";
  email = "amara@lakehouse.example";
  givenName = "Amara";
  familyName = "Lindqvist";
  newEmail = "";
  newEmailExpires = timestampFromMs(Date.now() + 15 * 60_000);
  password = PASSWORD;
  devices = someDevices();
  apps = someApps();
  passkeys = somePasskeys();
  mostPasskeys = 10;
  secondStep: { onSince?: Timestamp; recoveryCodesLeft: number } = { recoveryCodesLeft: 0 };
  /** What was asked, the newest last. */
  readonly asked: string[] = [];
  /** The next call is done, and its answer lost. */
  loses = false;

  private answer() {
    const { username, email, givenName, familyName, newEmail, newEmailExpires } = this;
    const waiting = newEmail ? { newEmail, newEmailExpires } : {};
    return { credentials: { username, email, givenName, familyName, ...waiting } };
  }

  private done<T>(what: string, answer: T): T {
    this.asked.push(what);
    if (!this.loses) return answer;
    this.loses = false;
    throw new ConnectError("the line broke", Code.Unavailable);
  }

  serve(router: ConnectRouter): void {
    router.service(CredentialService, {
      getCredentials: () => this.answer(),
      changeName: ({ givenName, familyName }) => {
        Object.assign(this, { givenName, familyName });
        return this.done("name", this.answer());
      },
      changePassword: ({ presentPassword, password }) => {
        if (presentPassword !== this.password) throw wrong("present_password");
        if (password === presentPassword)
          throw failure(
            Code.InvalidArgument,
            "That’s already your password. Please choose another.",
            "INVALID_PASSWORD",
            "password",
          );
        this.password = password;
        return this.done("password", {});
      },
      beginAddressChange: ({ presentPassword, email }) => {
        if (presentPassword !== this.password) throw wrong("present_password");
        this.newEmail = email;
        this.newEmailExpires = timestampFromMs(Date.now() + 15 * 60_000 + this.asked.length);
        return this.done("begin", this.answer());
      },
      confirmAddressChange: ({ presentCode, newCode }) => {
        if (!this.newEmail)
          throw failure(
            Code.FailedPrecondition,
            "There’s no change of address waiting any more. Please start again.",
            "EXPIRED_CODE",
            "new_code",
          );
        for (const [field, is, said] of [
          ["present_code", CODES.presentCode, presentCode],
          ["new_code", CODES.newCode, newCode],
        ] as const)
          if (is !== said)
            throw failure(
              Code.InvalidArgument,
              "That code does not match. Please check it and try again.",
              "CODE_MISMATCH",
              field,
            );
        this.email = this.newEmail;
        this.newEmail = "";
        return this.done("confirm", this.answer());
      },
      stopAddressChange: () => {
        this.newEmail = "";
        return this.done("stop", this.answer());
      },
    });
    router.service(DeviceService, {
      listDevices: () => ({ devices: this.devices }),
      endDevice: ({ id }) => {
        this.devices = this.devices.filter((device) => device.id !== id);
        return this.done(`end ${id}`, { devices: this.devices });
      },
      endOtherDevices: () => {
        this.devices = this.devices.filter(({ current }) => current);
        return this.done("end others", { devices: this.devices });
      },
    });
    router.service(AppService, {
      listApps: () => ({ apps: this.apps }),
      revokeApp: ({ clientId }) => {
        this.apps = this.apps.filter((app) => app.clientId !== clientId);
        return this.done(`revoke ${clientId}`, { apps: this.apps });
      },
    });
    router.service(PasskeyService, {
      listPasskeys: () => ({ passkeys: this.passkeys, most: this.mostPasskeys }),
      beginPasskey: ({ presentPassword }) => {
        if (presentPassword !== this.password) throw wrong("present_password");
        return this.done("begin passkey", { ceremony: "sealed", options: "{}" });
      },
      finishPasskey: ({ credential }) => {
        this.passkeys = [
          { id: "p3", name: `New, ${credential}`, addedAt: timestampFromMs(Date.now()) },
          ...this.passkeys,
        ];
        return this.done("finish passkey", { passkeys: this.passkeys });
      },
      removePasskey: ({ id, presentPassword }) => {
        if (presentPassword !== this.password) throw wrong("present_password");
        this.passkeys = this.passkeys.filter((passkey) => passkey.id !== id);
        return this.done(`remove ${id}`, { passkeys: this.passkeys });
      },
    });
    router.service(SecondStepService, {
      getSecondStep: () => ({ secondStep: this.secondStep }),
      beginSecondStep: ({ presentPassword }) => {
        if (presentPassword !== this.password) throw wrong("present_password");
        const address = `otpauth://totp/Serein:${this.username}?secret=${APP.secret}&issuer=Serein`;
        return this.done("begin second step", { ceremony: "sealed", secret: APP.secret, address });
      },
      finishSecondStep: ({ code }) => {
        if (code !== APP.code)
          throw failure(
            Code.InvalidArgument,
            "That code does not match. Please check it and try again.",
            "CODE_MISMATCH",
            "code",
          );
        this.secondStep = { onSince: timestampFromMs(Date.UTC(2026, 10, 2, 7, 12)), recoveryCodesLeft: 10 };
        return this.done("finish second step", { recoveryCodes: someCodes(1), secondStep: this.secondStep });
      },
      newRecoveryCodes: ({ presentPassword }) => {
        if (presentPassword !== this.password) throw wrong("present_password");
        this.secondStep.recoveryCodesLeft = 10;
        return this.done("new codes", { recoveryCodes: someCodes(2), secondStep: this.secondStep });
      },
      removeSecondStep: ({ presentPassword }) => {
        if (presentPassword !== this.password) throw wrong("present_password");
        this.secondStep = { recoveryCodesLeft: 0 };
        return this.done("remove second step", { secondStep: this.secondStep });
      },
    });
    router.service(DeletionService, {
      deleteAccount: ({ password }) => {
        if (password !== this.password) throw wrong("password");
        return this.done("delete", { deletesAt: timestampFromMs(Date.UTC(2026, 11, 11, 9)) });
      },
    });
  }
}
