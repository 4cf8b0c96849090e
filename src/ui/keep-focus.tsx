import { Component, createRef, type ComponentProps } from 'react'

/**
 * An article that takes over the focus when the control inside that had it goes away, a button of a
 * card say that is not offered any more: else the place in the page would be lost. A class, since
 * only a class can look at the document right before React changes it.
 */
export class KeepFocus extends Component<ComponentProps<'article'>> {
  readonly #article = createRef<HTMLElement>()

  override getSnapshotBeforeUpdate(): boolean {
    return this.#article.current?.contains(document.activeElement) ?? false
  }

  override componentDidUpdate(_props: unknown, _state: unknown, hadFocus: boolean) {
    if (hadFocus && !this.#article.current?.contains(document.activeElement))
      this.#article.current?.focus({ preventScroll: true })
  }

  override render() {
    return <article {...this.props} ref={this.#article} tabIndex={-1} />
  }
}
