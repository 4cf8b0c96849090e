const TINTS = ['bg-stone-1', 'bg-stone-2', 'bg-stone-3', 'bg-stone-4', 'bg-stone-5']
const SIZES = {
  small: 'size-6 text-[0.625rem]',
  medium: 'size-8 text-xs',
  large: 'size-12 text-base',
}

interface AvatarProps {
  name: string
  size?: keyof typeof SIZES
  /** Announce the name, because it is not written next to the avatar. */
  standalone?: boolean
}

/**
 * Initials of a person or an organisation on a stone. The tint is derived from the name, so it is
 * stable. The initials are drawn, so they are not part of an enclosing button's name.
 */
export function Avatar({ name, size = 'medium', standalone = false }: AvatarProps) {
  const spoken = standalone ? { role: 'img', 'aria-label': name } : { 'aria-hidden': true }
  return (
    <span
      {...spoken}
      data-initials={initialsOf(name)}
      className={`inline-grid shrink-0 place-items-center rounded-full border border-transparent font-semibold text-ink select-none before:content-[attr(data-initials)] ${SIZES[size]} ${tintOf(name)}`}
    />
  )
}

function initialsOf(name: string) {
  const parts = name.trim().split(/\s+/)
  const ends = parts.length > 1 ? [parts[0], parts.at(-1)] : [parts[0]]
  return ends
    .map((part) => /^./u.exec(part ?? '')?.[0] ?? '')
    .join('')
    .toUpperCase()
}

function tintOf(name: string) {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973
  return TINTS[sum % TINTS.length]
}
