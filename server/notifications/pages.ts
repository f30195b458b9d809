import { NOTIFICATION_KINDS } from "@db/event-kinds";
import { NOTIFICATION_KIND_LABELS, NOTIFICATION_MESSAGES } from "../contract/messages/notifications";

/** Where mails lead who want no more of them. */
export const UNSUBSCRIBE_PATH = "/api/unsubscribe";

/** Asks before anything changes, and says what would. Without scripts, and for whoever is signed out. */
export function unsubscribePage(token: string): string {
  const action = `${UNSUBSCRIBE_PATH}?token=${encodeURIComponent(token)}`;
  const named = token.split(".");
  const kinds = NOTIFICATION_KINDS.filter((kind) => named.includes(kind));
  const labels = kinds.map((kind) => `<li>${NOTIFICATION_KIND_LABELS[kind]}</li>`).join("");
  return pageOf(`<p>Do you want no more emails like the one that led you here? Your inbox in Sangam stays as it is.</p>
${labels && `<ul>${labels}</ul>`}
<form method="post" action="${action}"><button>Unsubscribe</button></form>`);
}

/** What became of it. */
export function unsubscribedPage(isDone: boolean): string {
  const sentence = isDone ? NOTIFICATION_MESSAGES.unsubscribed : NOTIFICATION_MESSAGES.unsubscribeGone;
  return pageOf(`<p role="status">${sentence}</p>
<p><a href="/">Open Sangam</a></p>`);
}

function pageOf(content: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><title>Emails · Sangam</title>
<style>
:root { --canvas: #f6f5f1; --ink: #171d26; --link: #824c01; font: 16px/24px "Hanken Grotesk", system-ui, sans-serif }
@media (prefers-color-scheme: dark) { :root { --canvas: #0f141a; --ink: #f0eee9; --link: #f8c562 } }
body { margin: 0; padding: 64px 16px; background: var(--canvas); color: var(--ink) }
main { max-width: 44ch; margin: 0 auto }
.brand { padding-bottom: 16px; border-bottom: 3px solid #f4af2d; font-size: 18px; font-weight: 600 }
h1 { font-size: 26px; line-height: 30px }
a { color: var(--link) }
button { min-height: 44px; padding: 0 18px; border: 0; border-radius: 8px; background: #f4af2d; color: #261a0d; font: inherit; font-weight: 600; cursor: pointer }
:focus-visible { outline: 2px solid currentcolor; outline-offset: 2px }
</style></head>
<body><main><p class="brand">Sangam</p>
<h1>Emails</h1>
${content}
</main></body></html>
`;
}
