import { Avatar } from '../../ui/display/avatar.tsx'

interface OwnerNameProps {
  /** Undefined where it is not known, for example of a former member. */
  name: string | undefined
  /** What is shown then. */
  instead: string
  /** Classes of the avatar, which is there with a name. */
  avatarClass?: string
}

/** Who owns the record of a row. */
export const OwnerName = ({ name, instead, avatarClass = '' }: OwnerNameProps) => (
  <span className="flex items-center gap-2">
    {name !== undefined && (
      <span className={avatarClass}>
        <Avatar name={name} size="small" />
      </span>
    )}
    <span className="truncate">{name ?? instead}</span>
  </span>
)
