// SPDX-License-Identifier: Apache-2.0
// `lor`, `symmetric` and `symmetric-shared`: the matrix as it is stored, a part after the other.
#include <map>

#include "gpu/panel/panel_plan.h"
#include "gpu/published/published_projectors.h"

namespace tof {

namespace {

constexpr const char* kMatrix = "panel matrix";

/// A texture over floats in a row.
OwnedTexture makeLinearTexture(DeviceSpan<const float> from) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    // The texture only reads.
    resource.res.linear.devPtr = const_cast<float*>(from.get());
    resource.res.linear.desc = {32, 0, 0, 0, cudaChannelFormatKindFloat};
    resource.res.linear.sizeInBytes = from.size() * sizeof(float);
    cudaTextureDesc how{};
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    check(cudaCreateTextureObject(&texture, &resource, &how, nullptr), "create a texture", {from.size()});
    return OwnedTexture(texture);
}

class PublishedLines : public PanelStrategy {
  public:
    PublishedLines(const PanelModel& model, CudaSpace& space, device::Published how, int threads)
        : space_(space),
          how_(how),
          threads_(threads),
          layout_(panelLayout(model.matrix->geometry, 0)),
          places_(space.uploaded(model.matrix->places, kMatrix)),
          values_(space.uploaded(model.matrix->values, kMatrix)) {
        std::size_t most = 0;
        for (std::size_t p = 0; p < model.parts->parts(); ++p) {
            const std::vector<device::PanelOrientation> all = panelOrientations(model, p, {});
            double products = 0;
            for (const device::PanelOrientation& o : all) {
                products += static_cast<double>(o.entries) * o.shiftsU * o.shiftsV;
            }
            most = std::max(most, all.size());
            multiplyAdds_.push_back(products);
            orientations_.push_back(space.uploaded(all, kMatrix));
        }
        if (const std::size_t sums = device::publishedSums(how, most); sums > 0) {
            sums_ = space.buffer<float>(sums, "sums of threads");
        }
    }

    void forward(std::size_t part, DeviceSpan<const float> image, DeviceSpan<const float> measured,
                 DeviceSpan<float> p) override {
        const bool textured = how_ == device::Published::SymmetricShared;
        device::publishedForward(space_.stream(), how_, partOf(part), image, textured ? textureOf(image) : 0,
                                 measured, p);
    }
    void back(std::size_t part, DeviceSpan<const float> p, DeviceSpan<float> image, Write write) override {
        if (write == Write::Overwrite) {
            device::fill(space_.launch(), image, 0.0F);
        }
        device::publishedBack(space_.stream(), how_, partOf(part), p, image);
    }

    [[nodiscard]] bool leavesOutUnmeasured() const override { return true; }
    [[nodiscard]] std::size_t bytes() const override {
        std::size_t bytes = places_.bytes() + values_.bytes() + sums_.bytes();
        for (const auto& part : orientations_) {
            bytes += part.bytes();
        }
        return bytes;
    }
    [[nodiscard]] double multiplyAdds(std::size_t part) const override { return multiplyAdds_[part]; }

  private:
    [[nodiscard]] device::PublishedPart partOf(std::size_t part) const {
        return {layout_, orientations_[part].span(), places_.span(), values_.span(), sums_.span(), threads_};
    }
    /// One for each image that was ever projected: recorded work keeps using them.
    [[nodiscard]] cudaTextureObject_t textureOf(DeviceSpan<const float> image) {
        auto found = textures_.find(image.get());
        if (found == textures_.end()) {
            found = textures_.emplace(image.get(), makeLinearTexture(image)).first;
        }
        return found->second.get();
    }

    CudaSpace& space_;
    device::Published how_;
    int threads_;
    device::PanelLayout layout_;
    DeviceBuffer<std::uint32_t> places_;
    DeviceBuffer<float> values_;
    DeviceBuffer<float> sums_;
    std::vector<DeviceBuffer<device::PanelOrientation>> orientations_;
    std::vector<double> multiplyAdds_;
    std::map<const float*, OwnedTexture> textures_;
};

}  // namespace

std::unique_ptr<PanelStrategy> makePublishedLines(const PanelModel& model, CudaSpace& space,
                                                  device::Published how, int threads) {
    return std::make_unique<PublishedLines>(model, space, how, threads);
}

}  // namespace tof
