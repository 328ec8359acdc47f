import type { Interceptor, Transport } from "@connectrpc/connect";
import { createRouterTransport } from "@connectrpc/connect";
import { interceptors } from "@/data/interceptors";
import type { SessionStore } from "@/lib/session";
import { mockAccount } from "./mock-account";
import { mockBasket } from "./mock-basket";
import { mockContact } from "./mock-contact";
import { mockContent } from "./mock-content";
import { mockCourses } from "./mock-courses";
import { mockDiary } from "./mock-diary";
import { mockDrafts } from "./mock-drafts";
import { mockEditor } from "./mock-editor";
import { mockGenerator } from "./mock-generator";
import { mockLibrary } from "./mock-library";
import { mockMembership } from "./mock-membership";
import { mockOrders } from "./mock-orders";
import { mockSearch } from "./mock-search";
import { mockSharing } from "./mock-sharing";
import { mockShop } from "./mock-shop";
import { mockStudio } from "./mock-studio";

/** Answers take their time, as from afar: what is laid out before them must stand afterwards. */
const distance: Interceptor = (next) => async (request) => {
  await new Promise((done) => setTimeout(done, 200));
  return next(request);
};

/** Stands in for the gateway in `--mode look`: every service answers from memory, in this page. */
export const createTransport = (session: SessionStore): Transport =>
  createRouterTransport(
    (router) => {
      mockAccount(router);
      mockGenerator(router);
      mockDrafts(router);
      mockContact(router);
      mockContent(router);
      mockCourses(router);
      mockStudio(router);
      mockDiary(router);
      mockEditor(router);
      mockLibrary(router);
      mockSearch(router);
      mockSharing(router);
      mockShop(router);
      mockBasket(router);
      mockOrders(router);
      mockMembership(router);
    },
    { transport: { interceptors: [...interceptors(session), distance] } },
  );
