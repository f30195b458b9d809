import type { InquiryKind } from "@db/enums";
import { INQUIRY_PAGES, type InquiryFormState } from "../contract/inquiry-form";
import { MESSAGES } from "../contract/messages";
import { PUBLIC_PAGES, type PublicPageName, ROOT_MARKS } from "../contract/paths";
import { builtRenderer } from "./renderer";

export type FormPages = {
  /** The page of a form with what was typed and what is wrong. Null without a build. */
  draw(kind: InquiryKind, state: InquiryFormState): Promise<string | null>;
  /** For a form that was refused before it was read: the page that `referer` names, with the reason and a way back to what was typed. */
  drawRefused(reason: string, referer: string | undefined): Promise<string | null>;
};

/**
 * Draws the pages that answer a plain form, by the build's own renderer. `find`: the prerendered page, of which only the root
 * changes.
 */
export function createFormPages({ root, find }: { root: string; find: (name: string) => string | null }): FormPages {
  const renderRoot = builtRenderer<{ name: PublicPageName; form: InquiryFormState }>(root, {
    file: "render-page",
    name: "renderRoot",
  });
  const [begin, end] = ROOT_MARKS;
  const draw: FormPages["draw"] = async (kind, state) => {
    const name = PUBLIC_PAGES[INQUIRY_PAGES[kind].path];
    const page = find(name);
    const drawn = page === null ? null : await renderRoot({ name, form: state });
    if (page === null || drawn === null) return null;
    const from = page.indexOf(begin);
    const to = page.indexOf(end);
    if (from < 0 || to < from) return null;
    return (
      `${page.slice(0, from)}${drawn}${page.slice(to)}`
        .replace(/<title>[^<]*/, "<title>Not sent yet · Sangam")
        // It starts at the field that is wrong, and does not travel there.
        .replace(" data-smooth", "")
    );
  };
  return {
    draw,
    drawRefused(reason, referer) {
      const from = referer !== undefined && URL.canParse(referer) ? new URL(referer).pathname : "";
      const kind: InquiryKind = from === INQUIRY_PAGES.application.path ? "application" : "contact";
      return draw(kind, { problem: `${reason} ${MESSAGES.inquiries.goBack}` });
    },
  };
}
