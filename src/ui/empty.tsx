import type { ReactNode } from 'react'
import { STONES } from './mark.tsx'

type Scene = 'start' | 'clear' | 'fog'

interface EmptyProps {
  title: string
  children?: ReactNode
  /** The next step: a button or a link, one that matters. */
  action?: ReactNode
  /** `start`: nothing here yet. `clear`: all is done. `fog`: it cannot be seen from here. */
  scene?: Scene
  /** The title's level: 1 where it is all of the page. */
  level?: 1 | 2 | 3
}

/** What stands where nothing is: a picture, a sentence, the next step. */
export function Empty({ title, children, action, scene = 'start', level = 2 }: EmptyProps) {
  const Heading = `h${level}` as const
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center px-4 py-12 text-center">
      <svg aria-hidden viewBox="0 0 120 72" className="mb-5 h-24 w-40">
        {scene === 'clear' && <circle cx="82" cy="26" r="11" className="fill-glow-soft" />}
        <path
          d="M6 61.5c14-4 24 2.5 38 .5s22-3.5 34-1.5 22 2.5 36-.5"
          className="fill-none stroke-line"
          strokeWidth="1.5"
          strokeLinecap="round"
        />
        <g transform="translate(36 14) scale(1.6)">{stones(scene)}</g>
        {scene === 'fog' && (
          <path
            d="M14 30h40m8 0h34M26 39h62m8 0h12M10 48h30m8 0h52"
            className="fill-none stroke-surface"
            strokeWidth="4"
            strokeLinecap="round"
          />
        )}
      </svg>
      <Heading className="text-lg">{title}</Heading>
      {children && <div className="mt-1.5 text-sm text-pretty text-ink-muted">{children}</div>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  )
}

function stones(scene: Scene) {
  const [ground, middle, top] = STONES
  if (scene === 'start')
    return (
      <>
        <path d={ground} className="fill-accent" />
        <g className="fill-none stroke-edge" strokeWidth=".8" strokeDasharray="1.6 1.8">
          <path d={middle} />
          <path d={top} />
        </g>
      </>
    )
  const quiet = scene === 'fog' ? 'fill-edge' : 'fill-accent'
  return (
    <>
      <path d={ground} className={quiet} />
      <path d={middle} className={quiet} />
      <path d={top} className={scene === 'fog' ? 'fill-edge' : 'fill-glow'} />
    </>
  )
}
