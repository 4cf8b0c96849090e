import { LOGO_PATHS } from './logo-paths.ts'

interface LogoProps {
  className?: string
}

/** Cairn's logo: three stones on a path, the topmost in morning light. Decorative only. */
export function Logo({ className = 'size-7' }: LogoProps) {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className={`shrink-0 ${className}`}>
      <path d={LOGO_PATHS[0]} className="fill-accent" />
      <path d={LOGO_PATHS[1]} className="fill-accent" />
      <path d={LOGO_PATHS[2]} className="fill-glow" />
    </svg>
  )
}

/** Logo and name, for the header and the sign-in page. */
export function Wordmark() {
  return (
    <span className="inline-flex items-center gap-2 text-lg font-bold tracking-tight text-ink">
      <Logo />
      Cairn
    </span>
  )
}
