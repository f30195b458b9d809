/** Where the app behind sign-in lives: the server answers these with its page, everything unknown with 404. */
export const APP_PATHS = ["/login", "/signup", "/reset-password", "/dashboard", "/admin", "/client"] as const;
export type AppPath = (typeof APP_PATHS)[number];

/** Prerendered public pages: path to file name below `dist/pages`. */
export const PUBLIC_PAGES: Record<string, string> = { "/": "index", "/terms": "terms", "/privacy": "privacy" };

/** The API's reference: a page without scripts, and the document it is made of. */
export const REFERENCE_PAGE = "/docs";
export const OPENAPI_PATH = "/api/openapi.json";
