import { pageSession } from "@/lib/session";
import { createData } from "./data";

/** The page's own; goes once the player takes it from the context. */
export const pageData = createData(pageSession);
