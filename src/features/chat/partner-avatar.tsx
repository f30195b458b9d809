import type { ChatPartner } from "@server/contract/views";
import { Avatar } from "@/ui/avatar";

type PartnerAvatarProps = { partner: Pick<ChatPartner, "name" | "profileImgLink">; isOnline: boolean };

/** The other one's picture, with a dot while they look at a page of theirs. Silent: the words stand beside it. */
export function PartnerAvatar({ partner, isOnline }: PartnerAvatarProps) {
  return (
    <span aria-hidden="true" className="relative inline-grid">
      <Avatar name={partner.name} src={partner.profileImgLink} size={36} />
      {isOnline && (
        <span className="absolute -end-1 -bottom-1 size-3 rounded-pill border-2 border-canvas bg-green in-[[aria-current=page]]:border-raised forced-colors:bg-[CanvasText]" />
      )}
    </span>
  );
}
