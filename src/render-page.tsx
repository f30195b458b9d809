import type { InquiryFormState } from "@server/contract/inquiry-form";
import type { PublicPageName } from "@server/contract/paths";
import { StrictMode } from "react";
import { renderToString } from "react-dom/server";
import { PUBLIC_PAGES } from "./features/marketing/public-pages";

/**
 * A public page as the element that public.tsx hydrates. Run by the build for every page, and by the server for one whose form
 * has something to say to a browser without JavaScript. All that is typed comes out escaped.
 */
export async function renderRoot({
  name,
  form = {},
}: {
  name: PublicPageName;
  form?: InquiryFormState;
}): Promise<string> {
  const Page = await PUBLIC_PAGES[name].load();
  const content = renderToString(
    <StrictMode>
      <Page form={form} />
    </StrictMode>,
    // React knows `hidden` as yes or no; see until-found.tsx.
  ).replace(/hidden="" data-until-found="true"/g, 'hidden="until-found" data-until-found="true"');
  const state = Object.keys(form).length > 0 ? ` data-form="${escapeHtml(JSON.stringify(form))}"` : "";
  return `<div id="root" data-page="${name}"${state}>${content}</div>`;
}

/** Text for an attribute in double quotes, or for an element. */
export function escapeHtml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
}
