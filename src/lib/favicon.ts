/** Shows or hides the unread dot on the tab's icon. */
export function setFaviconDot(isOn: boolean): void {
  const icon = document.querySelector('link[rel="icon"]');
  const href = isOn ? "/favicon-unread.svg" : "/favicon.svg";
  if (icon?.getAttribute("href") !== href) icon?.setAttribute("href", href);
}
