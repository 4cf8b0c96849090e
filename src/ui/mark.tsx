/** The outlines of the three stones in a 32 × 32 box, from the ground up. */
export const STONES = [
  'M3.8 24.7c0-3 4.7-4.3 11.8-4.4 7.5-.1 12.6 1.1 12.6 4.1 0 2.9-4.6 4-12 4-7.6 0-12.4-.8-12.4-3.7Z',
  'M7.5 16.6c-.2-2.8 3.5-4.2 8.5-4.4 5-.2 8.6 1 8.7 3.4.1 2.6-3.3 3.6-8.3 3.7-5 .1-8.7-.1-8.9-2.7Z',
  'M11.5 8.5c-.2-2.5 2-4.3 4.7-4.4 2.8-.1 4.9 1.2 4.9 3.6 0 2.5-2.1 3.5-4.8 3.6-2.7.1-4.6-.4-4.8-2.8Z',
] as const

interface MarkProps {
  className?: string
}

/** Cairn's mark: three stones on a path, the topmost in the morning light. Decoration only. */
export function Mark({ className = 'size-7' }: MarkProps) {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className={`shrink-0 ${className}`}>
      <path d={STONES[0]} className="fill-accent" />
      <path d={STONES[1]} className="fill-accent" />
      <path d={STONES[2]} className="fill-glow" />
    </svg>
  )
}

/** The mark with the name beside it, for the head of the app and of the sign-in page. */
export function Wordmark() {
  return (
    <span className="inline-flex items-center gap-2 text-lg font-bold tracking-tight text-ink">
      <Mark />
      Cairn
    </span>
  )
}
