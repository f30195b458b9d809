/**
 * The pages of the app behind sign-in, `:id` for any id, to the heading that names the document until the page brings its own.
 * The server answers these, everything unknown with 404.
 */
export const APP_PAGES = {
  "/login": "Log In",
  "/signup": "Create Account",
  "/reset-password": "Reset password",
  "/confirm-email": "Confirm your email",
  "/two-factor": "Set up two-factor sign-in",
  "/invitation": "Accept your invitation",
  "/dashboard": "Projects Board",
  "/dashboard/tasks": "Tasks",
  "/dashboard/overview": "Dashboard",
  "/dashboard/team": "Team",
  "/dashboard/calendar": "Calendar",
  "/dashboard/messages": "Messages",
  "/dashboard/messages/:id": "Messages",
  "/dashboard/settings": "Settings",
  "/dashboard/inbox": "Inbox",
  "/dashboard/requests": "Requests",
  "/admin": "All Projects",
  "/admin/users": "Users Management",
  "/admin/messages": "Messages",
  "/admin/messages/:id": "Messages",
  "/admin/activity": "Project Activity",
  "/admin/inquiries": "Inquiries",
  "/admin/audit": "Audit",
  "/admin/system": "System",
  "/admin/clients": "See as a client",
  "/admin/clients/:id": "See as a client",
  "/admin/settings": "Settings",
  "/admin/inbox": "Inbox",
  "/admin/requests": "Requests",
  "/client": "Projects",
  "/client/messages": "Messages",
  "/client/messages/:id": "Messages",
  "/client/settings": "Settings",
  "/client/inbox": "Inbox",
  "/client/requests": "Requests",
  "/sign-offs/:id": "Sign-off",
} as const;
export type AppPage = keyof typeof APP_PAGES;

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
