// SPDX-License-Identifier: Apache-2.0

/// A picture over time, with the values that the page shows under the pointer.
struct Figure: Sendable {
    /// Values by column, drawn as a line.
    struct Series: Sendable {
        let name: String
        /// May be empty.
        let unit: String
        /// The number of decimal places.
        let digits: Int
        /// One value per column.
        ///
        /// Values that are not finite are unknown.
        let values: [Float]
    }

    /// The vertical axis of a color picture.
    struct ColorAxis: Sendable {
        let map: ColorMap
        let unit: String
        /// The row edges from bottom to top.
        let edges: [Double]
        let edgeUnit: String
    }

    /// The name of the figure in links and file names.
    var name: String
    /// The heading, the same for all views of a subject.
    let title: String
    /// A sentence about the content; may be empty.
    let caption: String
    /// The height of the drawing.
    ///
    /// The width is ``PlotFrame/width``.
    let height: Double
    /// SVG elements.
    let drawing: String
    var series: [Series] = []
    /// The color picture, if any, with one pixel per column of the grid.
    var image: PNGImage?
    var colorAxis: ColorAxis?
    /// The vertical range of the color picture.
    var imageRange: ClosedRange<Double>?
    /// The label of the button that shows this view, if the figure is one of several views of the same subject.
    var view = "This file"
}

/// The layout of a drawing, equal in all figures so that their times align.
struct PlotFrame: Sendable {
    static let width = 1080.0
    static let (left, right) = (52.0, 1016.0)
    /// The upper edge of the plot, below the legend.
    static let top = 26.0
    /// The space below the plot, for the time axis.
    static let bottom = 26.0

    let plotHeight: Double
    /// The time axis, in seconds.
    let time: PlotScale

    /// The lower edge of the plot.
    var base: Double { Self.top + plotHeight }
    var height: Double { base + Self.bottom }

    init(plotHeight: Double, seconds: Double) {
        self.plotHeight = plotHeight
        time = PlotScale(0...seconds, from: Self.left, to: Self.right)
    }

    func vertical(_ values: ClosedRange<Double>) -> PlotScale { PlotScale(values, from: base, to: Self.top) }

    /// Returns the horizontal center of a column.
    func middle(ofColumn column: Int, of count: Int) -> Double {
        Self.left + (Double(column) + 0.5) / Double(count) * (Self.right - Self.left)
    }
}
