import type { ReactNode } from 'react'
import { LOGO_PATHS } from './logo-paths.ts'

export type Scene = 'start' | 'clear' | 'fog'

/** The drawing of an empty state, within an `svg` of 120 × 64. */
export default function EmptyPicture({ scene }: { scene: Scene }): ReactNode {
  return (
    <>
      {scene === 'clear' && <circle cx="75" cy="20" r="15" className="fill-glow-soft" />}
      <path
        d="M4 58c16-4.5 27 2 42 .3s26-3 38-1 21 2 32-1"
        className="fill-none stroke-line"
        strokeWidth="1.5"
        strokeLinecap="round"
      />
      <g transform="translate(36 10) scale(1.6)">{stonesOf(scene)}</g>
      {scene === 'fog' && <Fog />}
    </>
  )
}

function Fog() {
  const fogLines = 'M20 24h26m8 0h38M12 35.5h66m8 0h20M26 47h12m8 0h52'
  return (
    <g className="fill-none" strokeLinecap="round">
      <path d={fogLines} className="stroke-surface" strokeWidth="4" />
      <path d={fogLines} className="stroke-line" strokeWidth="1.5" />
    </g>
  )
}

function stonesOf(scene: Scene) {
  const [ground, middle, top] = LOGO_PATHS
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
  const quiet = scene === 'fog' ? 'fill-edge/60' : 'fill-accent'
  return (
    <>
      <path d={ground} className={quiet} />
      <path d={middle} className={quiet} />
      <path d={top} className={scene === 'fog' ? quiet : 'fill-glow'} />
    </>
  )
}
