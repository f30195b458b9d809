import { Hono, type MiddlewareHandler } from "hono";
import { INQUIRY_FORM_ACTION, INQUIRY_PAGES, sentAddress } from "./contract/inquiry-form";
import { MESSAGES } from "./contract/messages";
import type { Bindings } from "./core/client-address";
import type { Context } from "./core/context";
import { DomainError } from "./core/errors";
import type { FormPages } from "./core/form-pages";
import { refuseForeign } from "./core/origin";
import { receiveForm } from "./inquiries/form";

const FORM_TYPES = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** What a plain form needs of the call that brought it. */
type FormServices = Pick<Context, "db" | "limits" | "contactEmail" | "logger">;

type FormRoutesOptions = {
  services: FormServices;
  origins: ReadonlySet<string>;
  limitedBody: MiddlewareHandler;
  formPages: FormPages;
  addressOf: (headers: Headers, bindings: Bindings) => string;
};

/**
 * `POST /contact`: the forms of the public pages for browsers without JavaScript. 303 to the page that thanks, or the page again
 * with all that was typed; opened as an address, it leads to the form.
 */
export function formRoutes(options: FormRoutesOptions): Hono<{ Bindings: Bindings }> {
  const { services, origins, limitedBody, formPages, addressOf } = options;
  const routes = new Hono<{ Bindings: Bindings }>();
  routes.use(INQUIRY_FORM_ACTION, async (c, next) => {
    await next();
    c.res.headers.set("cache-control", "no-store");
    const { status } = c.res;
    if (status !== 403 && status !== 413) return;
    const reason = status === 403 ? MESSAGES.general.foreignOrigin : MESSAGES.inquiries.tooLarge;
    const page = await formPages.drawRefused(reason, c.req.header("referer"));
    if (page !== null) c.res = c.html(page, status);
  });
  routes.post(INQUIRY_FORM_ACTION, limitedBody, async (c) => {
    const { headers } = c.req.raw;
    refuseForeign(headers, origins);
    if (!FORM_TYPES.test(headers.get("content-type") ?? ""))
      throw new DomainError("UNSUPPORTED_MEDIA_TYPE", MESSAGES.general.unreadable);
    // What cannot be read at all is a form in which nothing was typed.
    const form = await c.req.parseBody().catch(() => ({}));
    const logger = services.logger.with({ requestId: c.env.requestId });
    const received = await receiveForm({ ...services, logger, address: addressOf(headers, c.env) }, form);
    if (received.isSent) return c.redirect(sentAddress(received.kind), 303);
    const { kind, status, state, retryAfterSeconds } = received;
    if (retryAfterSeconds !== null) c.header("retry-after", String(retryAfterSeconds));
    const page = await formPages.draw(kind, state);
    if (page !== null) return c.html(page, status);
    return c.text([state.problem, ...Object.values(state.fieldErrors ?? {})].join("\n"), status);
  });
  const { path, anchor } = INQUIRY_PAGES.contact;
  routes.get(INQUIRY_FORM_ACTION, (c) => c.redirect(`${path}#${anchor}`));
  return routes;
}
