const GAP = 6
const EDGE = 8

/**
 * Puts an open or opening popover beside its anchor and keeps it inside the window: below where
 * there is room, else above; held to the anchor's left or right edge, whichever leaves it more
 * width. It measures the anchor only, so it can run before the panel is first painted.
 */
export function placeBeside(anchor: Element, panel: HTMLElement) {
  const box = anchor.getBoundingClientRect()
  const { clientWidth: width, clientHeight: height } = document.documentElement
  const below = height - box.bottom
  const down = below >= box.top || below > 320
  const fromLeft = box.left + box.right <= width
  Object.assign(panel.style, {
    inset: 'auto',
    top: down ? `${box.bottom + GAP}px` : 'auto',
    bottom: down ? 'auto' : `${height - box.top + GAP}px`,
    left: fromLeft ? `${Math.max(EDGE, box.left)}px` : 'auto',
    right: fromLeft ? 'auto' : `${Math.max(EDGE, width - box.right)}px`,
    maxWidth: `${(fromLeft ? width - Math.max(EDGE, box.left) : Math.min(box.right, width - EDGE)) - EDGE}px`,
    maxHeight: `${(down ? below : box.top) - GAP - EDGE}px`,
  })
}
