// SPDX-License-Identifier: Apache-2.0
#include "viz/surface_mesh.h"

#include <vtkCellArray.h>
#include <vtkFlyingEdges3D.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyDataNormals.h>
#include <vtkQuadricClustering.h>

#include <algorithm>
#include <vector>

namespace tof::viz {

namespace {

constexpr std::size_t kMostVoxels = std::size_t{1} << 23U;
constexpr vtkIdType kCoarseFrom = 40000;  ///< triangles that software rendering turns without delay
constexpr int kCoarseCells = 64;          ///< along the longest edge of the box

/// Means of blocks of `factor` voxels along every edge; what does not fill a block is left out.
Volume averaged(const Volume& volume, int factor) {
    Lattice coarse = volume.lattice;
    const double shift = (factor - 1) / 2.0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        coarse.size[axis] = std::max(1, coarse.size[axis] / factor);
        coarse.spacing_mm[axis] *= factor;
    }
    coarse.origin_mm = volume.lattice.centre(shift, shift, shift);
    Volume out(coarse);
    const double share = 1.0 / (static_cast<double>(factor) * factor * factor);
    for (int z = 0; z < coarse.size[2]; ++z) {
        for (int y = 0; y < coarse.size[1]; ++y) {
            for (int x = 0; x < coarse.size[0]; ++x) {
                double sum = 0;
                for (int k = 0; k < factor * factor; ++k) {
                    const int fy = std::min(y * factor + k % factor, volume.lattice.size[1] - 1);
                    const int fz = std::min(z * factor + k / factor, volume.lattice.size[2] - 1);
                    const float* from = volume.data.data() + volume.lattice.index(x * factor, fy, fz);
                    for (int i = 0; i < factor; ++i) {
                        sum += static_cast<double>(from[i]);
                    }
                }
                out.at(x, y, z) = static_cast<float>(share * sum);
            }
        }
    }
    return out;
}

/// A copy with a shell of zeros around it, so that every surface is closed.
vtkSmartPointer<vtkImageData> withShell(const Volume& volume) {
    const Lattice& l = volume.lattice;
    auto image = vtkSmartPointer<vtkImageData>::New();
    image->SetDimensions(l.size[0] + 2, l.size[1] + 2, l.size[2] + 2);
    image->SetSpacing(l.spacing_mm.data());
    const Vec3 origin = l.centre(-1, -1, -1);
    image->SetOrigin(origin.x, origin.y, origin.z);
    image->AllocateScalars(VTK_FLOAT, 1);
    auto* to = static_cast<float*>(image->GetScalarPointer());
    std::fill_n(to, image->GetNumberOfPoints(), 0.0F);
    const auto nx = static_cast<std::size_t>(l.size[0]);
    for (int z = 0; z < l.size[2]; ++z) {
        for (int y = 0; y < l.size[1]; ++y) {
            const float* from = volume.data.data() + l.index(0, y, z);
            std::copy_n(from, nx, static_cast<float*>(image->GetScalarPointer(1, y + 1, z + 1)));
        }
    }
    return image;
}

/// Triangles of a grid of cells laid over the box: fast, and good enough for what moves.
vtkSmartPointer<vtkPolyData> coarsened(vtkPolyData& mesh) {
    double bounds[6];
    mesh.GetBounds(bounds);
    const double edges[] = {bounds[1] - bounds[0], bounds[3] - bounds[2], bounds[5] - bounds[4]};
    const double cell = std::max(1e-6, *std::max_element(edges, edges + 3) / kCoarseCells);
    vtkNew<vtkQuadricClustering> cluster;
    cluster->SetInputData(&mesh);
    cluster->AutoAdjustNumberOfDivisionsOff();
    cluster->SetNumberOfDivisions(std::max(2, static_cast<int>(edges[0] / cell)),
                                  std::max(2, static_cast<int>(edges[1] / cell)),
                                  std::max(2, static_cast<int>(edges[2] / cell)));
    vtkNew<vtkPolyDataNormals> normals;
    normals->SetInputConnection(cluster->GetOutputPort());
    normals->SplittingOff();
    normals->ConsistencyOff();
    normals->Update();
    return normals->GetOutput();
}

}  // namespace

SurfaceMesh::SurfaceMesh(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

SurfaceMesh::~SurfaceMesh() = default;

std::size_t SurfaceMesh::triangles() const {
    return static_cast<std::size_t>(impl_->full->GetNumberOfPolys());
}

std::size_t SurfaceMesh::coarseTriangles() const {
    return static_cast<std::size_t>(impl_->coarse->GetNumberOfPolys());
}

int SurfaceMesh::averaged() const {
    return impl_->averaged;
}

Vec3 SurfaceMesh::corner(std::size_t triangle, int corner) const {
    vtkNew<vtkIdList> ids;
    impl_->full->GetPolys()->GetCellAtId(static_cast<vtkIdType>(triangle), ids);
    double at[3];
    impl_->full->GetPoint(ids->GetId(corner), at);
    return {at[0], at[1], at[2]};
}

std::shared_ptr<const SurfaceMesh> extractSurface(const Volume& volume, double level) {
    auto impl = std::make_unique<SurfaceMesh::Impl>();
    const auto voxelsAfter = [&](int factor) {
        std::size_t count = 1;
        for (const int size : volume.lattice.size) {
            count *= static_cast<std::size_t>(std::max(1, size / factor));
        }
        return count;
    };
    while (voxelsAfter(impl->averaged) > kMostVoxels) {
        ++impl->averaged;
    }
    vtkNew<vtkFlyingEdges3D> edges;
    edges->SetInputData(withShell(impl->averaged > 1 ? averaged(volume, impl->averaged) : volume));
    edges->SetValue(0, level);
    edges->ComputeNormalsOn();
    edges->ComputeGradientsOff();
    edges->ComputeScalarsOff();
    edges->Update();
    impl->full = edges->GetOutput();
    impl->coarse = impl->full->GetNumberOfPolys() > kCoarseFrom ? coarsened(*impl->full) : impl->full;
    return std::make_shared<const SurfaceMesh>(std::move(impl));
}

}  // namespace tof::viz
