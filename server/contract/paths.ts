/** The pages of the app behind sign-in, `:id` for any id: the server answers these, everything unknown with 404. */
export const APP_PATHS = [
  "/login",
  "/signup",
  "/reset-password",
  "/confirm-email",
  "/dashboard",
  "/dashboard/tasks",
  "/dashboard/overview",
  "/dashboard/team",
  "/dashboard/calendar",
  "/dashboard/messages",
  "/dashboard/messages/:id",
  "/dashboard/settings",
  "/admin",
  "/admin/users",
  "/admin/messages",
  "/admin/messages/:id",
  "/admin/activity",
  "/admin/inquiries",
  "/admin/audit",
  "/admin/clients",
  "/admin/clients/:id",
  "/admin/settings",
  "/client",
  "/client/messages",
  "/client/messages/:id",
  "/client/settings",
] as const;

/** Prerendered public pages: path to file name below `dist/pages`. The answer to all else, `404`, has no path. */
export const PUBLIC_PAGES = {
  "/": "index",
  "/careers": "careers",
  "/kartavya": "kartavya",
  "/blogs": "blogs",
  "/privacy-policy-kartavya": "privacy-policy-kartavya",
  "/terms": "terms",
  "/privacy": "privacy",
} as const;
type PublicPath = keyof typeof PUBLIC_PAGES;
export type PublicPageName = (typeof PUBLIC_PAGES)[PublicPath] | "404";

/** Stands in prerendered pages for the address that is known when the server starts. */
export const PUBLIC_URL_MARK = "https://public-url.invalid";

/** Enclose the part of a prerendered page that is drawn again when its form has something to show. */
export const ROOT_MARKS = ["<!--root-->", "<!--/root-->"] as const;

/** The API's reference: a page without scripts, and the document it is made of. */
export const REFERENCE_PAGE = "/docs";
export const OPENAPI_PATH = "/api/openapi.json";
