"""C++17: templates over the scalar type, compiled for double, Eigen at the border."""
